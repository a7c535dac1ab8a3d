import path from 'node:path';
import ts from 'typescript';
import { REPOSITORY } from '../build/paths.ts';
import { LIBRARY_ENTRIES } from '../site/library-entries.ts';

/** Interfaces that an application or its browser implements and does not call; their members say what has to be done. */
const IMPLEMENTED = new Set([
  ...['Storage', 'Store', 'Blobs', 'Coordinator', 'CoordinatorHandlers', 'SocketLike', 'ConformanceCase'],
  ...['PushSubscriber', 'PushWorker', 'ShownNotifications'],
]);

/** A function that applications call, with the name under which they find it. */
type PublicFunction = { name: string; node: ts.SignatureDeclaration };

const files = LIBRARY_ENTRIES.map(({ source }) => path.join(REPOSITORY, source));
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: ['node'],
});
const checker = program.getTypeChecker();

function publicFunctions(): PublicFunction[] {
  const symbols = files.flatMap((file) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    return module ? checker.getExportsOfModule(module) : [];
  });
  const found = symbols.map((one) =>
    one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one,
  );
  return [...new Set(found)].flatMap((symbol) => (symbol.declarations ?? []).flatMap(functionsOf));
}

function functionsOf(declaration: ts.Declaration): PublicFunction[] {
  if (ts.isFunctionDeclaration(declaration))
    return [{ name: declaration.name?.text ?? '', node: declaration }];
  const isType = ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration);
  if (!isType && !ts.isClassDeclaration(declaration)) return [];
  const owner = declaration.name?.text ?? '';
  if (IMPLEMENTED.has(owner)) return [];
  // Members of the type, with those that it takes from others, such as the operations of a server.
  return checker
    .getTypeAtLocation(declaration)
    .getProperties()
    .flatMap((member) => membersOf(owner, member));
}

function membersOf(owner: string, member: ts.Symbol): PublicFunction[] {
  return (member.declarations ?? []).flatMap((node) => {
    const name = `${owner}.${member.name}`;
    const isOurs = /packages\/(client|react)\//.test(node.getSourceFile().fileName);
    if (!isOurs || member.name.startsWith('#') || member.name.startsWith('__')) return [];
    if (ts.isMethodSignature(node) || ts.isMethodDeclaration(node)) return [{ name, node }];
    if (!ts.isPropertySignature(node) || !node.type || !ts.isTypeLiteralNode(node.type)) return [];
    return node.type.members
      .filter(ts.isMethodSignature)
      .map((method) => ({ name: `${name}.${method.name.getText()}`, node: method }));
  });
}

/** Parts that are missing in the comment of a function. */
function missingIn({ node }: PublicFunction): string[] {
  const tags = ts.getJSDocTags(node);
  const has = (name: string) => tags.some((tag) => tag.tagName.text === name && textOf(tag.comment) !== '');
  const type = checker.getReturnTypeOfSignature(checker.getSignatureFromDeclaration(node)!);
  const result = checker.typeToString(type);
  const parameters = tags.filter((tag) => ts.isJSDocParameterTag(tag) && textOf(tag.comment) !== '');
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return [
    ...(comments.some(({ comment }) => textOf(comment) !== '') ? [] : ['what it does']),
    ...(parameters.length < node.parameters.length ? ['each argument'] : []),
    ...(/^(void|Promise<void>)$/.test(result) || has('returns') ? [] : ['its result']),
    ...(!result.startsWith('Promise<') || has('throws') ? [] : ['its errors']),
    ...(has('example') ? [] : ['an example']),
  ];
}

function textOf(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  return (ts.getTextOfJSDocComment(comment) ?? '').trim();
}

test('every public function of the library documents its arguments, result and errors, with an example', () => {
  const all = publicFunctions();
  const names = all.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['createClient', 'Client.on', 'ServerClient.sendMessage', 'useMessages']),
  );
  const gaps = all
    .map((one) => `${one.name}: ${missingIn(one).join(', ')}`)
    .filter((line) => !line.endsWith(': '));
  expect(gaps).toEqual([]);
});
