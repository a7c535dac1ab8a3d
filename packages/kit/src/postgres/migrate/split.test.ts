import { splitStatements } from './split.ts';

test.each([
  ['select 1; select 2', ['select 1', 'select 2']],
  [
    `insert into t values (';', '''; '); select ";" from t;`,
    [`insert into t values (';', '''; ')`, 'select ";" from t'],
  ],
  ['-- a; b\nselect 1; -- the end;\n/* none; */', ['-- a; b\nselect 1']],
  [
    'create function f() returns trigger as $$ begin return null; end $$; create table t ()',
    ['create function f() returns trigger as $$ begin return null; end $$', 'create table t ()'],
  ],
  [
    'do $body$ begin perform $$;$$; end $body$; select 1',
    ['do $body$ begin perform $$;$$; end $body$', 'select 1'],
  ],
  ['', []],
  [';;\n;', []],
])('%j', (text, statements) => {
  expect(splitStatements(text)).toEqual(statements);
});
