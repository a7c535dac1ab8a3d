import { MessageMetadata, Metadata } from '@parley/contract/records/metadata';
import { defectsOf, type Defect } from '@parley/contract/testing/defects';
import type { TSchema } from '@parley/contract/testing/json-schema';
import { validValues } from '@parley/contract/testing/valid-values';
import fc from 'fast-check';
import { failureOf } from './failure.ts';

/** A request body that a schema of the contract describes and a parser reads. */
export type Agreement = {
  schema: TSchema;
  parse: (body: unknown) => unknown;
  /** Turns a value that only the schema accepts into a valid one, if a rule connects several properties. */
  adjust?: (body: unknown) => unknown;
  /** The properties that an error may name for a defect; default: the path of the defect. */
  properties?: (path: string) => readonly string[];
  /** Errors that name no property, by the path of the defect. */
  errors?: Readonly<Record<string, string>>;
};

const NAMED = { MessageMetadata, Metadata };
const RUNS = 60;
/** Bodies whose defects are all tried. */
const BENT_BODIES = 12;
const REFUSALS = ['missing_property', 'invalid_property', 'invalid_request_id'];

/** Declares the tests that a schema and a parser accept and refuse the same bodies. */
export function describeAgreement(name: string, agreement: Agreement): void {
  const { schema, parse, adjust = (body) => body } = agreement;
  const bodies = validValues(schema, NAMED).map(adjust);
  describe(name, () => {
    test('the parser accepts what the schema accepts', () => {
      fc.assert(
        fc.property(bodies, (body) => void parse(body)),
        { numRuns: RUNS },
      );
    });
    test('the parser refuses what the schema refuses, and names the property', () => {
      fc.assert(
        fc.property(bodies, (body) => {
          for (const defect of defectsOf(schema, body, NAMED)) expectRefusal(agreement, defect);
        }),
        { numRuns: BENT_BODIES },
      );
    });
  });
}

/** A body of the wrong kind is not looked into. */
function expectRefusal(agreement: Agreement, { path, kind, value }: Defect): void {
  const { parse, properties = (given) => [given], errors = {} } = agreement;
  const expected =
    path === '' && kind === 'wrong type'
      ? ['invalid_request']
      : properties(path).flatMap((property) => REFUSALS.map((id) => `${id} ${property}`));
  if (errors[path] !== undefined) expected.push(errors[path]);
  const failure = failureOf(() => parse(value));
  if (expected.includes(failure)) return;
  const shown = JSON.stringify(value)?.slice(0, 300);
  throw new Error(`${kind} at "${path}" of ${shown}: ${failure} instead of ${expected.join(' or ')}`);
}

/** An error names these properties even for a defect within them. */
export function wholeOf(...properties: string[]): (path: string) => string[] {
  return (path) => [properties.find((property) => path.startsWith(`${property}.`)) ?? path];
}

/** A part has one of both, and an error about the absence of one may name the other. */
export function eitherBodyOrContent(path: string): string[] {
  return [path, path.replace(/(^|\.)content$/, '$1body'), path.replace(/(^|\.)body$/, '$1content')];
}
