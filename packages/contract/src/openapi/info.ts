/** The document's text about all operations. CommonMark. */
export const INFO_DESCRIPTION = `\
The public API of Parley, a messaging platform that an application hosts for itself.

**Media type.** A request to a client or server route has to name the API's media type in \`Accept\`:
\`application/vnd.svc+json; version=3.0\`, or \`application/vnd.svc.webhooks+json; version=3.0\` for webhooks. It is the first
content type of each answer, since OpenAPI has no parameter of the name Accept; the answer itself says \`application/json\`.
Without it, and for \`*/*\`, the answer is 406. Generated clients need one line, once, with a header that names both media types:
\`ACCEPT = 'application/vnd.svc+json; version=3.0, application/vnd.svc.webhooks+json; version=3.0'\`.

- openapi-fetch: \`createClient<paths>({ baseUrl, headers: { accept: ACCEPT, authorization } })\`
- openapi-generator, Python: \`client.set_default_header('Accept', ACCEPT)\`
- openapi-python-client: \`Client(base_url, headers={'Accept': ACCEPT, 'Authorization': authorization})\`
- curl: \`curl -H "Accept: $ACCEPT" …\`

**Samples.** Each operation has samples for curl and TypeScript. They read ids and tokens from variables of the environment, such as
\`SESSION_TOKEN\` and \`CONVERSATION_ID\`, percent-encoded where they stand in an address, and print the status and the answer. Save a sample
in TypeScript as \`sample.mts\` and run it with \`node sample.mts\` (Node 22.18 or newer).

**Errors.** Every error has an \`id\`, by which programs decide. Which ids an operation may answer stands with its statuses. A path
that does not exist is \`invalid_endpoint\` (404), a method that a path does not take is \`method_not_allowed\` (405) with \`Allow\`.
A message or part that is not found is a 404 with an empty body. A 401 of a client route has a nonce for the next login.

**Methods.** GET serves HEAD too. Clients that can only GET and POST name another method in \`X-HTTP-Method-Override\` of a POST.

**Compression.** Bodies of more than 1 KB are compressed for clients whose \`Accept-Encoding\` names gzip, br or zstd; the answer
then has \`Content-Encoding\`, which HTTP clients undo by themselves.

**Unknown keys.** Answers may get further keys, and closed lists of texts in answers further values: ignore what you do not know.
`;
