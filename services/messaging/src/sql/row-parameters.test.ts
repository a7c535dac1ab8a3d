import { rowParameters } from './row-parameters.ts';

type Row = { id: string; seq: number | null };
const rows = rowParameters<Row>('row', { id: 'uuid', seq: 'int8' });
const numbered = rowParameters<Row>('row', { id: 'uuid', seq: 'int8' }, { ordinal: 'place' });

test('rows are an array for each column, and one row is plain values', () => {
  const [first, second] = [
    { id: 'a', seq: 1 },
    { id: 'b', seq: null },
  ];
  expect(rows.of([first, second])).toEqual({
    sql: 'unnest($1::uuid[], $2::int8[]) as row (id, seq)',
    values: [
      ['a', 'b'],
      [1, null],
    ],
    suffix: '',
  });
  expect(rows.of([second])).toEqual({
    sql: '(values ($1::uuid, $2::int8)) as row (id, seq)',
    values: ['b', null],
    suffix: '_1',
  });
});

test('parameters are counted from those before them, and rows are numbered where that is asked for', () => {
  expect(rows.of([], 3).sql).toBe('unnest($4::uuid[], $5::int8[]) as row (id, seq)');
  expect(numbered.of([]).sql).toBe('unnest($1::uuid[], $2::int8[]) with ordinality as row (id, seq, place)');
  expect(numbered.of([{ id: 'a', seq: 1 }]).sql).toBe(
    '(values ($1::uuid, $2::int8, 1::int8)) as row (id, seq, place)',
  );
});
