/**
 * The user who looks; an empty user id stands for a server. `now`: milliseconds since 1970. `asksPermissions`: the view says what the
 * user may do.
 */
export type Viewer = { appId: string; userId: string; now: number; asksPermissions?: boolean };
