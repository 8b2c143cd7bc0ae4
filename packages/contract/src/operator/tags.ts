import { Type } from 'typebox';
import { TAG_MAX, TAGS_MAX } from '../shared/tags.ts';
import { Closed, Text } from './schemas.ts';

const Tags = Type.Array(Text(TAG_MAX, 1), { maxItems: TAGS_MAX, uniqueItems: true });

/** The body of a change of tags, see `ChangedTags`. */
export const TagChange = Closed({ added: Tags, removed: Tags });
