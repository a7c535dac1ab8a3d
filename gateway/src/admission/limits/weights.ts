/** Weights of requests in the rate limits of their callers, where they exceed 1, the weight of an ordinary request. */

/** A replay reads pages of up to 500 changes from three services. */
export const REPLAY_WEIGHT = 10;

/** An export reads everything that the application has. */
export const EXPORT_WEIGHT = 100;

/** Erasing a user goes through all of their conversations. */
export const ERASURE_WEIGHT = 10;

const PARTICIPANTS_OF_ONE = 25;
const RECIPIENTS_OF_ONE = 50;
const ITEMS_OF_ONE = 100;
const REFERENCES_OF_ONE = 25;

/** Changing, creating or deleting a conversation reads all participants, and the event carries them to every gateway. */
export function patchWeight(participants: number): number {
  return 1 + Math.floor(participants / PARTICIPANTS_OF_ONE);
}

/** An announcement becomes a row and a packet for each recipient, and its notification a push for each of their devices. */
export function announcementWeight(recipients: number): number {
  return 1 + Math.floor(recipients / RECIPIENTS_OF_ONE);
}

/** Weight of a page, or of a list in a body, with more than a hundred items. */
export function itemsWeight(items: number): number {
  return Math.max(1, Math.ceil(items / ITEMS_OF_ONE));
}

/** For each message that refers to a content, it is checked whether the user sees the message. */
export function referencesWeight(references: number): number {
  return 1 + Math.floor(references / REFERENCES_OF_ONE);
}
