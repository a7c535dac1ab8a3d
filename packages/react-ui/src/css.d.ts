/** The style sheet as a text, as the bundle has it. */
declare module '*.css' {
  const text: string;
  export default text;
}
