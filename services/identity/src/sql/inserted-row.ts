/** The row that an `insert … returning` without `on conflict` always answers. */
export function insertedRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}
