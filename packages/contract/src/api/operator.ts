export type Role = 'viewer' | 'operator' | 'owner';

/**
 * The most delicate data that leave by a route or method: in its answer, or later by what it sets up, such as the deliveries of a webhook or
 * an archive of an export. `credentials` let their holder in, or act as somebody.
 */
export type Leaves = 'none' | 'users' | 'messages' | 'credentials';

/** The least role of a person who may call, and what leaves by the call. */
export type RuleText = `${Role}: ${Leaves}`;
