/** Operators mentioned by colleagues in notes. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import { Closed, Done, Id, Nullable, Timestamp } from './schemas.ts';

export const listMentions = operatorCall({
  method: 'GET',
  path: '/api/operator/mentions',
  permission: 'today.read',
  summary: 'Notes that mention the caller and that they have not opened yet, newest first, 50 at most',
  reply: Closed({
    mentions: Type.Array(
      Closed(
        {
          id: Type.String(),
          by: Type.String(),
          subject: Type.String({ description: 'The subject of the note: `member:ID` or `chat:ID`.' }),
          memberName: Nullable(Type.String({ description: 'Null for a visitor.' })),
          excerpt: Type.String({ description: 'The note, shortened to 300 characters.' }),
          at: Timestamp,
        },
        { $id: 'Mention' },
      ),
    ),
  }),
});

export const seeMention = operatorCall({
  method: 'POST',
  path: '/api/operator/mentions/{id}/seen',
  permission: 'today.read',
  summary: 'Record that the caller has seen a mention; a repeat changes nothing',
  params: Closed({ id: Id }),
  reply: Done,
  refusals: ['NO_DATA'],
});

export const listColleagues = operatorCall({
  method: 'GET',
  path: '/api/operator/colleagues',
  permission: 'today.read',
  summary: 'The names of active operators, who can be mentioned in notes as @name',
  reply: Closed({ names: Type.Array(Type.String()) }),
});
