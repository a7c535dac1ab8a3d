import { useState } from 'react';

type TextName<Values> = {
  [Name in keyof Values]: Values[Name] extends string ? Name : never;
}[keyof Values];
type TypedText = { currentTarget: { value: string } };

/** Properties of an input of text. */
export type TextField = { value: string; onChange: (event: TypedText) => void };

/** Values of a form's fields, by name. */
export type FormValues<Values> = {
  values: Values;
  change: (changes: Partial<Values>) => void;
  /** Properties of an input that gives an event, such as a TextInput. */
  text: <Name extends keyof Values>(name: Name & TextName<Values>) => TextField;
  /** Properties of an input that gives its value, such as a Select. */
  choice: <Name extends keyof Values>(
    name: Name,
  ) => { value: Values[Name]; onChange: (value: Values[Name]) => void };
};

/** The values of a form, which begins with some, or with what a function makes of them. */
export function useValues<Values extends object>(initial: Values | (() => Values)): FormValues<Values> {
  const [values, setValues] = useState(initial);
  const set = <Name extends keyof Values>(name: Name, value: Values[Name] | string) =>
    setValues((before) => ({ ...before, [name]: value }));
  return {
    values,
    change: (changes) => setValues((before) => ({ ...before, ...changes })),
    text: (name) => ({
      value: String(values[name]),
      onChange: ({ currentTarget: { value } }) => set(name, value),
    }),
    choice: (name) => ({ value: values[name], onChange: (value) => set(name, value) }),
  };
}
