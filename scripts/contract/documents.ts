import { openApiDocument } from '../../packages/contract/src/openapi/document.ts';
import { describeAdministration } from '../../gateway/src/admin/describe/index.ts';
import { ROUTES } from '../../gateway/src/routes/index.ts';

/** What a deployment publishes that has no name of its own on the wire. */
const SETTINGS = {
  name: 'svc',
  version: '3.0',
  baseUrl: 'https://chat.example.org',
  contentUrl: 'https://content.example.org',
  administration: describeAdministration(),
};

/** The OpenAPI document as docs/ has it. */
export function openApi(): object {
  return openApiDocument(ROUTES, SETTINGS);
}

/** A document as it is committed. */
export function format(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
