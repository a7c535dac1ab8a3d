import type { Content } from '../records/part.ts';
import { EXAMPLE } from '../schema/ids.ts';
import { APP_BASE, BASE } from './base.ts';

const URL = `${BASE}/content/${EXAMPLE.content}`;

/** A photo of Ada before she has uploaded it. */
export const NEW_CONTENT: Content = {
  id: `svc:///content/${EXAMPLE.content}`,
  size: 481_516,
  download_url: null,
  expiration: null,
  refresh_url: URL,
  upload_url: 'https://content.example.com/uploads/5Vb0uM7cQxTn2EhLd8oGfW',
};

/** The content once it is uploaded. */
export const CONTENT: Content = {
  ...NEW_CONTENT,
  download_url: `https://content.example.com/downloads/${EXAMPLE.app}/${EXAMPLE.content}?signature=kS9vJ1y4`,
  expiration: '2026-11-20T21:15:30.123Z',
  upload_url: null,
};

const SERVER_URL = `${APP_BASE}/conversations/${EXAMPLE.conversation}/content/${EXAMPLE.content}`;

/** The new content as a server sees it. */
export const NEW_SERVER_CONTENT: Content = { ...NEW_CONTENT, refresh_url: SERVER_URL };
export const SERVER_CONTENT: Content = { ...CONTENT, refresh_url: SERVER_URL };
