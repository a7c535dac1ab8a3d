import type { ActingPerson } from '@parley/domain/actor';

/** A call of an operator, as the audit log names it. */
export type OperatorCall = {
  /** By the administration API or the console, by the server API of an application, or by a caller who is not known. */
  actor: 'admin' | 'server' | 'unknown';
  /** Undefined for the holder of the administration token, and for an unauthenticated caller. */
  person: ActingPerson | undefined;
  /** e.g. `POST /webhooks` or `AdminService/CreateKey`. */
  method: string;
  /** e.g. `sign_in.refused`. Default: the method. */
  action?: string | undefined;
  /** Bare uuid; undefined: it is about the platform. */
  appId: string | undefined;
  /** The object of the call. It holds no secret. */
  subject: string;
  /** Bare uuid of the object that it is about. */
  objectId?: string | undefined;
  /** Whether the entry may have the id of a user of the application. */
  namesUser: boolean;
};
