/** A parsed JSON answer. Tests assert its shape; the compiler cannot know it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;
