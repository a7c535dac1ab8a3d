/**
 * A value that a statement compares: a column of a range, a parameter, a column of a result. What a column is known to equal
 * is told by its edges.
 */
export type Term = {
  /** The table, function or subquery of the `from` clause that the term is a column of; undefined: of none. */
  owner?: Range;
  /** Terms of which the range equals one. */
  equals: Set<Term>;
  /** Terms from which the value may come: the branches of a union, or the rows of `values`. */
  branches?: Term[];
  /** A parameter or constant, by its text. */
  value?: string;
  /** Comes from an array that the caller gives, so it may have several values. */
  isGiven?: boolean;
};

/** The table, or the query, that a name in the `from` clause stands for. */
export type Range = {
  name: string;
  columns: Map<string, Term>;
  /** Undefined: no table. */
  table?: string;
};

/** Knowledge of a term: the single values that it equals; or several values that the caller gives; or nothing. */
export type Binding = { values: Set<string>; isGiven: boolean };

export function term(owner?: Range): Term {
  return { equals: new Set(), ...(owner && { owner }) };
}

/** The term of a parameter or constant. */
export function valueTerm(value: string): Term {
  return { equals: new Set(), value };
}

/** The term of an element of an array that the caller gives. */
export function givenTerm(): Term {
  return { equals: new Set(), isGiven: true };
}

/** The values that the term equals, by all conditions of the statement. */
export function bindingOf(given: Term): Binding {
  return follow(given, new Set());
}

export function isBound({ values, isGiven }: Binding): boolean {
  return values.size > 0 || isGiven;
}

/** `path`: the terms that were followed to this one; they are not followed again. */
function follow(given: Term, path: Set<Term>): Binding {
  if (path.has(given)) return { values: new Set(), isGiven: false };
  path.add(given);
  const found = [...given.equals].map((other) => follow(other, path));
  if (given.branches) found.push(commonOf(given.branches.map((branch) => follow(branch, path))));
  path.delete(given);
  const own = given.value === undefined ? [] : [given.value];
  return {
    values: new Set([...own, ...found.flatMap(({ values }) => [...values])]),
    isGiven: given.isGiven === true || found.some(({ isGiven }) => isGiven),
  };
}

/** The binding that holds in every branch. */
function commonOf(branches: Binding[]): Binding {
  if (!branches.every(isBound)) return { values: new Set(), isGiven: false };
  const [first, ...others] = branches.map((one) => one.values);
  const values = new Set([...(first ?? [])].filter((value) => others.every((one) => one.has(value))));
  return { values, isGiven: values.size === 0 };
}
