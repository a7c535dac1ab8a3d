import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { close, strictSchemas, type JsonObject, type JsonValue } from './schema.ts';

/** Says what is wrong with a value; undefined: it is as the schema describes it. */
export type Validate = (value: unknown) => string | undefined;

/** Makes validators for schemas that refer to the components of one document. Each is compiled when it is first needed. */
export function createValidator(schemas: JsonObject): (schema: JsonValue) => Validate {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: DOCUMENT, components: { schemas: strictSchemas(schemas) } });
  const compiled = new Map<JsonValue, ValidateFunction>();
  return (schema) => (value) => {
    let check = compiled.get(schema);
    if (!check) compiled.set(schema, (check = ajv.compile(absolute(close(schema)) as JsonObject)));
    if (check(value)) return undefined;
    return ajv.errorsText(check.errors, { dataVar: 'body' });
  };
}

const DOCUMENT = 'https://parley.example/document.json';

/** References within the document, for a schema that stands outside of it. */
function absolute(schema: JsonValue): JsonValue {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`);
  return JSON.parse(text) as JsonValue;
}
