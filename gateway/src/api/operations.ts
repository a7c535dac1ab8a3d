/** Operations that socket requests also run. Sockets import nothing else of the REST API, and this folder imports nothing from sockets. */
export type { ApiContext } from './context.ts';
export { createConversation } from './conversations/create.ts';
export { deleteConversation } from './conversations/delete.ts';
export { deleteRestriction, putRestriction } from './conversations/restrictions.ts';
export { markUpToBy, updateConversation, type Mark } from './conversations/update.ts';
export { deleteMessage } from './messages/delete.ts';
export { reactByData, unreactByData } from './messages/reactions.ts';
export { recordReceipt } from './messages/receipt.ts';
export { readMessage, requireSent, sendMessage } from './messages/send.ts';
export { updateMessage } from './messages/update.ts';
export type { ApiRequest, Handler } from './request/route.ts';
