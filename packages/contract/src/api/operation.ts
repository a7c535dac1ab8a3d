import type { TSchema } from 'typebox';
import type { ErrorId } from '../errors.ts';

export type Tag =
  | 'Discovery'
  | 'Sessions'
  | 'Conversations'
  | 'Messages'
  | 'Message parts'
  | 'Rich content'
  | 'Receipts'
  | 'Identities'
  | 'Following'
  | 'Presence'
  | 'Blocks'
  | 'Announcements'
  | 'Notifications'
  | 'Users'
  | 'Application'
  | 'Webhooks'
  | 'Exports'
  | 'Uploads and downloads'
  | 'Administration';

/** A parameter in the query or a header of a request. */
export type Parameter = { name: string; in: 'query' | 'header'; required?: boolean; schema: TSchema };

/** A body of a request or an answer. */
export type Body = {
  schema: TSchema;
  example: unknown;
  /** Default: those of the route. */
  mediaTypes?: readonly string[];
};

export type Success = {
  description: string;
  body?: Body;
  /** Headers beyond those of every answer; `Type.Optional`: not always there. `Svc-Count` is written with the word `svc`, like all names of the wire. */
  headers?: Record<string, TSchema>;
};

/**
 * What a route takes and answers. Its method, path, authentication and summary stand in the gateway's table of routes;
 * what follows from those (path parameters, errors of authentication, limits, the media type) is added from there.
 */
export type Operation = {
  /** Unique; the name of the function in a generated client. */
  id: string;
  tag: Tag;
  /** CommonMark. */
  description: string;
  parameters?: readonly Parameter[];
  body?: Body & { required: boolean };
  /** By HTTP status. */
  success: Readonly<Record<number, Success>>;
  /** What may go wrong beyond that which may go wrong with every route of this kind. */
  errors: readonly ErrorId[];
  /** What `data` of an error holds, for errors that say more than which property or header they are about. */
  errorData?: Readonly<Partial<Record<ErrorId, TSchema>>>;
};

/** By `METHOD path`, as in the table of routes. */
export type Operations = Readonly<Record<string, Operation>>;
