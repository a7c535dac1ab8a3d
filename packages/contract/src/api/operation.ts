import type { TSchema } from 'typebox';
import type { ErrorId } from '../errors.ts';
import type { RuleText } from './operator.ts';

export type Tag =
  | 'Discovery'
  | 'Sessions'
  | 'Conversations'
  | 'Messages'
  | 'Message parts'
  | 'Reactions'
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
  /** The body of code samples, with variables as `{{NAME}}`. Default: the example. */
  sample?: unknown;
  /** Default: those of the route. */
  mediaTypes?: readonly string[];
};

export type Success = {
  description: string;
  body?: Body;
  /** Headers beyond those of every answer; `Type.Optional`: not always there. `Svc-Count` is written with the word `svc`, like all names of the wire. */
  headers?: Record<string, TSchema>;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Requests of a kind of which a user and an application may have a limited number under way. */
export type RequestKind = 'list' | 'patch' | 'announcement' | 'erasure' | 'export';

/** The address of an operation, and the callers that it has. */
export type Route = {
  /**
   * Method and path, such as `GET /conversations/:conversation_id/messages`. A parameter matches one segment and arrives decoded. Of two
   * routes that fit a request the one that comes first serves it.
   */
  route: `${Method} /${string}`;
  /** Page and heading below `docs/protocol`, such as `messages.md#parts`. */
  docs: string;
  /**
   * `session`: a user's session; the application's servers may call it as that user, below `/apps/:app_uuid/users/:as_user_id`.
   * `bearer`: an access token of the application in the path. `none`: tokens are ignored. `checked`: a token is optional, but must be valid.
   */
  auth: 'session' | 'bearer' | 'none' | 'checked';
  /**
   * The least role of a person of the console with whose token it may be called, and what leaves by it; of an operation for sessions, when it
   * is called as a user. Null: no token of the console reaches it. docs/console.md#what-leaves-the-platform
   */
  operator: RuleText | null;
  /** Summary of one line. */
  summary: string;
  /** The media type that Accept must name. Default: the API's media type. `any`: Accept does not matter. */
  accept?: 'api' | 'webhooks' | 'any';
  /** Whether a missing message or part is answered by a 404 with an empty body. */
  emptyNotFound?: boolean;
  /** The error message for a body that is too large. */
  tooLarge?: string;
  /** The owner of an Idempotency-Key where nobody is authenticated: the user that the identity token in the body names. Default: none, and the key is ignored. */
  keyOwner?: 'login';
  /** Default of a PATCH: `patch`; of others: none. */
  kind?: RequestKind;
};

/** The request and the answers of an operation. Path parameters, common errors and media types are added from its route. */
export type Description = {
  tag: Tag;
  /** CommonMark. */
  description: string;
  parameters?: readonly Parameter[];
  body?: Body & { required: boolean };
  /** Answers by HTTP status. */
  success: Readonly<Record<number, Success>>;
  /** Errors besides those of every route of this kind. */
  errors: readonly ErrorId[];
  /** Schemas of an error's `data`, for errors that say more than which property or header they are about. */
  errorData?: Readonly<Partial<Record<ErrorId, TSchema>>>;
};

/** One operation of the public API. */
export type Operation = Route & Description;

/** Operations by id, which is unique and the name of the function in a generated client. */
export type Operations = Readonly<Record<string, Operation>>;
