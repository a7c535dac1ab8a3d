// Keys of queries that more than one feature changes.

/** The list of applications, and each of them below it. */
export const APPS_KEY = ['apps'] as const;
/** The numbers of all applications, and of each. */
export const STATISTICS_KEY = ['statistics'] as const;
/** The audit logs of all applications, and of each. */
export const AUDIT_KEY = ['audit'] as const;

/** The list of users of an application, with any filter. */
export function usersKey(appUuid: string) {
  return ['users', appUuid] as const;
}
