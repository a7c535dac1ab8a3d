import type { Node } from '@pgsql/types';
import { givenTerm, valueTerm, type Range, type Term } from './binding.ts';
import { findColumn, pathOf, type Result, type Scope } from './scope.ts';

/** The results of the subqueries of an expression, which have been read before. */
export type Subqueries = Map<object, Result>;

/** The surroundings of a condition: the meaning of its names, and the ranges whose rows it can rule out. */
export type Place = { scope: Scope; restricts: ReadonlySet<Range>; subqueries: Subqueries };

/** Notes which columns a condition has equal what else. It may leave out what it cannot tell. */
export function noteCondition(node: Node | undefined, place: Place): void {
  if (!node) return;
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
    for (const part of node.BoolExpr.args ?? []) noteCondition(part, place);
  } else if ('A_Expr' in node) {
    noteComparison(node.A_Expr, place);
  } else if ('SubLink' in node && node.SubLink.subLinkType === 'ANY_SUBLINK') {
    const result = place.subqueries.get(node.SubLink) ?? [];
    for (const [index, left] of elementsOf(node.SubLink.testexpr).entries()) {
      equate(termOf(left, place), result[index]?.term, place);
    }
  }
}

function noteComparison(
  { kind, name, lexpr, rexpr }: Extract<Node, { A_Expr: unknown }>['A_Expr'],
  place: Place,
): void {
  const [operator] = pathOf(name);
  if (operator !== '=') return;
  if (kind === 'AEXPR_OP') {
    const right = elementsOf(rexpr);
    for (const [index, left] of elementsOf(lexpr).entries()) {
      equate(termOf(left, place), termOf(right[index], place), place);
    }
  } else if (kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_IN') {
    equate(termOf(lexpr, place), elementOf(rexpr, place), place);
  }
}

function equate(one: Term | undefined, other: Term | undefined, { restricts }: Place): void {
  if (!one || !other) return;
  if (one.owner && restricts.has(one.owner)) one.equals.add(other);
  if (other.owner && restricts.has(other.owner)) other.equals.add(one);
}

/** The parts of a row, or the one expression. */
function elementsOf(node: Node | undefined): Node[] {
  if (!node) return [];
  return 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node];
}

/** The term of a column, a parameter, a constant or a subquery with one column; casts are passed over. */
export function termOf(node: Node | undefined, place: Pick<Place, 'scope' | 'subqueries'>): Term | undefined {
  if (!node) return undefined;
  if ('TypeCast' in node) return termOf(node.TypeCast.arg, place);
  if ('ColumnRef' in node) return findColumn(place.scope, pathOf(node.ColumnRef.fields));
  if ('ParamRef' in node) return valueTerm(`$${node.ParamRef.number}`);
  if ('A_Const' in node) return valueTerm(JSON.stringify(node.A_Const, withoutLocation));
  if ('SubLink' in node && node.SubLink.subLinkType === 'EXPR_SUBLINK') {
    return place.subqueries.get(node.SubLink)?.[0]?.term;
  }
  return undefined;
}

/** The term of any element of an array or list. */
function elementOf(node: Node | undefined, place: Place): Term | undefined {
  if (!node) return undefined;
  if ('TypeCast' in node) return elementOf(node.TypeCast.arg, place);
  if ('ParamRef' in node) return givenTerm();
  if ('SubLink' in node) return place.subqueries.get(node.SubLink)?.[0]?.term;
  if ('List' in node || 'A_ArrayExpr' in node) {
    const elements = 'List' in node ? node.List.items : node.A_ArrayExpr.elements;
    const terms = (elements ?? []).map((element) => termOf(element, place));
    return terms.every((one) => one !== undefined) ? { equals: new Set(), branches: terms } : undefined;
  }
  return undefined;
}

function withoutLocation(key: string, value: unknown): unknown {
  return key === 'location' ? undefined : value;
}
