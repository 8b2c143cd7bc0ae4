import type { Body, Reply } from '../../platform/api.ts';

export type Chat = Reply<'GET /api/operator/chats'>['chats'][number];
export type Head = Reply<'GET /api/operator/chats/{id}'>;
export type ChatRow = Reply<'GET /api/operator/chats/{id}/messages'>['messages'][number];
export type MessageContent = Body<'POST /api/operator/chats/{id}/messages'>['message'];

export interface ChatButton {
  title: string;
  type: 'web' | 'call' | 'postback' | 'other';
  payload: string;
}

export interface Card {
  image_url: string;
  title: string;
  subtitle: string;
  buttons: ChatButton[];
}
