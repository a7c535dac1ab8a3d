/** Comes before every other id in the order of ids. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
