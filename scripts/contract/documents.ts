import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from '../../packages/contract/src/openapi/document.ts';
import { describeAdministration } from '../../packages/administration/src/describe.ts';
import { flatTypes } from './plain-types.ts';

/** Settings of the published documents, of a deployment with the usual names on the wire. */
const SETTINGS = {
  name: 'svc',
  version: '3.0',
  baseUrl: 'https://chat.example.org',
  contentUrl: 'https://content.example.org',
  administration: describeAdministration(),
};

/** The OpenAPI document as docs/ has it. */
export function openApi(): object {
  return openApiDocument(SETTINGS);
}

/** A document as it is committed. */
export function format(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

const HEADING = `// Every public record as a plain type, made from the schemas of packages/contract/src by
// \`UPDATE_DOCS=1 npm test -- scripts/contract\`.

`;

/** The records of the document as TypeScript that names no library. */
export async function plainTypes(): Promise<string> {
  const { components } = openApi() as { components: { schemas: Record<string, object> } };
  const records = Object.entries(components.schemas).filter(([name]) => !/^Admin|^ConnectError$/.test(name));
  const document = {
    openapi: '3.1.0',
    info: { title: 'Records', version: SETTINGS.version },
    paths: {},
    components: { schemas: Object.fromEntries(records) },
  };
  return HEADING + flatTypes(astToString(await openapiTS(document as OpenAPI3)));
}
