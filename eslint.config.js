import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import ts from 'typescript-eslint';
import { linearRegexp } from './scripts/lint/linear-regexp.ts';
import { monotonicDurations } from './scripts/lint/monotonic-durations.ts';

// Who may import whom: contract, proto <- domain <- services, gateway; proto <- kit <- services, gateway. Kit and domain do not
// know each other, a service knows no other, and black-box tests know no source but the stack that starts processes.
function forbid(files, patterns) {
  return { files, rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] } };
}

const services = ['identity', 'messaging', 'content', 'announcement', 'export', 'webhook', 'push'];
const processes = [...services, 'gateway', 'console-server', 'cli', 'demo'].map((name) => `@parley/${name}`);
const anyProcess = {
  regex: `^(${processes.join('|')})(/|$)|/(services/[a-z]+|gateway|console/server|cli|demo)/src/`,
  message: 'Processes call each other by RPC and events, never by import.',
};
function anyProcessBut(name) {
  return { ...anyProcess, regex: anyProcess.regex.replace(`@parley/${name}|`, '') };
}
const otherPackages = (names) => ({
  regex: `^@parley/(${names.join('|')})(/|$)|^(\\.\\./)+(packages/)?(${names.join('|')})/src/`,
  message: 'See the import rules in eslint.config.js.',
});

// Each layer of kit is a folder, and knows only those before it.
const KIT_LAYERS = ['runtime', 'flow', 'http', 'postgres', 'bus', 'rpc', 'durable', 'service'];
const ofKit = [anyProcess, otherPackages(['domain', 'client', 'events', 'usage', 'outbound'])];
function ofKitLayer(index) {
  const higher = [...KIT_LAYERS.slice(index + 1), 'testing'].join('|');
  return [
    {
      regex: `^(\\.\\./)+(${higher})/`,
      message: `A layer of kit imports only from those before it: ${KIT_LAYERS.join(', ')}.`,
    },
    {
      regex: '^@parley/proto/(?!parley/rpc/|grpc/)',
      message: 'Kit names no service, and knows of the protocol only how calls are made.',
    },
  ];
}

// Each layer of the client library knows only those before it; its entries, such as lean and web-push, know any of them.
const CLIENT_LAYERS = [
  'query',
  'store',
  'records',
  'connection',
  'tabs',
  'sync',
  'pending',
  'transfer',
  'api',
];
const ofClient = [
  anyProcess,
  {
    regex: '^@parley/contract/(?!gen/)',
    message: 'The library has only the types of the contract.',
  },
];
function ofClientLayer(index) {
  const higher = [...CLIENT_LAYERS.slice(index + 1), 'lean', 'react-native', 'web-push', 'server'].join('|');
  return {
    regex: `^(\\.\\./)+(${higher})/`,
    message: `A layer of the client library imports only from those before it: ${CLIENT_LAYERS.join(', ')}.`,
  };
}

// Each layer of the console is a folder, and knows only those before it. A feature knows no other but the table of the audit log.
const CONSOLE_LAYERS = ['api', 'ui', 'charts', 'frame', 'features'];
const ofConsole = [
  anyProcess,
  otherPackages(['kit', 'domain', 'stack', 'testing', 'client(?!/server$)', 'react']),
];
function ofConsoleLayer(index) {
  const higher = CONSOLE_LAYERS.slice(index + 1).map((layer) => `${layer}/`);
  const patterns = [
    {
      regex: `^(\\.\\./)+(${[...higher, 'router\\.', 'main\\.'].join('|')})`,
      message: `A layer of the console imports only from those before it: ${CONSOLE_LAYERS.join(', ')}.`,
    },
  ];
  const isLast = index === CONSOLE_LAYERS.length - 1;
  const otherFeature = {
    regex: '^\\.\\./(?!\\.\\./(?!features/)|audit/audit-table\\.)',
    message: 'A feature imports no other; what two of them show belongs into a layer before them.',
  };
  return isLast ? [...patterns, otherFeature] : patterns;
}

const ofConsolePages = {
  regex: '^(\\.\\./)+src/',
  message: 'The console’s pages are built apart from their server.',
};

// Each folder of the gateway knows only those before it; sockets run operations of the REST API, by api/operations.ts alone. The files
// beside the folders put the process together. One of them mounts the console's server, so that no listener imports code of operators.
const GATEWAY_LAYERS = ['upstream', 'admission', 'api', 'realtime'];
const GATEWAY_FILES = 'config|context|main|mount-console|service';
const ofGateway = [anyProcess, otherPackages(['client'])];
const ofGatewayRoot = [anyProcessBut('console-server'), otherPackages(['client'])];
/** `depth`: folders between `src` and the file. */
function ofGatewayLayer(index, depth) {
  const higher = GATEWAY_LAYERS.slice(index + 1).map((layer) => `${layer}/`);
  const rest = GATEWAY_LAYERS[index] === 'realtime' ? [...higher, 'api/(?!operations\\.)'] : higher;
  const files = `^(\\.\\./){${depth}}(${GATEWAY_FILES})\\.`;
  return {
    regex: rest.length > 0 ? `${files}|^(\\.\\./){${depth}}(${rest.join('|')})` : files,
    message: `A folder of the gateway imports only from those before it: ${GATEWAY_LAYERS.join(', ')}.`,
  };
}
const gatewayLayers = GATEWAY_LAYERS.flatMap((layer, index) =>
  [1, 2, 3, 4].map((depth) => ({
    ...forbid(
      [`gateway/src/${layer}/${'*/'.repeat(depth - 1)}*.ts`],
      [...ofGateway, ofGatewayLayer(index, depth)],
    ),
    ignores: ['**/*.test.ts'],
  })),
);

const ofBlackBox = [anyProcess, otherPackages(['kit', 'domain', 'contract'])];
const ownEnvironment = {
  ...{ object: 'process', property: 'env' },
  message: 'Only a config.ts reads it, for its process or for the campaigns.',
};
// Code of pages, which may be served over http from another host than localhost: browsers have no secure context there.
const browserFiles = [
  'console/src/**/*.{ts,tsx}',
  'demo/chat/src/**/*.{ts,tsx}',
  'packages/{client,react,react-ui}/src/**/*.{ts,tsx}',
  'packages/create/template/src/**/*.{ts,tsx}',
];
const secureContext = [
  {
    object: 'crypto',
    property: 'randomUUID',
    message:
      'Pages without HTTPS lack it: take uuid7 of the client library, or newId of @parley/client/server.',
  },
];
const skewedNumbers = ['double', 'float'].map((property) => ({
  object: 'fc',
  property,
  message:
    'Nearly all of its values are next to 0. For a part of something use `fraction` of @parley/testing/fraction.',
}));

const boundaries = [
  forbid(
    ['packages/contract/src/**'],
    [anyProcess, otherPackages(['proto', 'kit', 'domain', 'stack', 'testing', 'client'])],
  ),
  forbid(
    ['packages/codec/src/**'],
    [anyProcess, otherPackages(['contract', 'kit', 'domain', 'stack', 'testing', 'client'])],
  ),
  forbid(['packages/kit/src/**'], ofKit),
  ...KIT_LAYERS.map((layer, index) => ({
    ...forbid([`packages/kit/src/${layer}/**`], [...ofKit, ...ofKitLayer(index)]),
    ignores: ['**/*.test.ts', '**/testing/**'],
  })),
  ...CLIENT_LAYERS.map((layer, index) =>
    forbid([`packages/client/src/${layer}/**`], [...ofClient, ofClientLayer(index)]),
  ),
  forbid(
    ['packages/create/src/**'],
    [anyProcess, otherPackages(['proto', 'kit', 'domain', 'stack', 'contract', 'client(?!/server$)'])],
  ),
  forbid(['packages/events/src/**'], [anyProcess, otherPackages(['domain', 'client'])]),
  forbid(['packages/usage/src/**'], [anyProcess, otherPackages(['domain', 'client'])]),
  forbid(['packages/{administration,http}/src/**'], [anyProcess, otherPackages(['client'])]),
  forbid(['packages/domain/**'], [anyProcess, otherPackages(['kit', 'stack', 'testing', 'client'])]),
  // The local platform has no test doubles.
  forbid(['packages/stack/**'], [anyProcess, otherPackages(['kit', 'domain', 'client', 'testing'])]),
  forbid(['packages/testing/**'], [anyProcess, otherPackages(['kit', 'domain', 'client'])]),
  forbid(['test/**'], ofBlackBox),
  // Campaigns use the tests' ways to talk to a platform; tests may run a small campaign.
  forbid(
    ['lab/**'],
    [
      ...ofBlackBox,
      { regex: '^(\\.\\./)+test/(?!support/)', message: 'Campaigns import only support of the tests.' },
    ],
  ),
  forbid(
    ['test/support/**'],
    [...ofBlackBox, { regex: '/lab/', message: 'Support of the tests knows no campaign.' }],
  ),
  forbid(['cli/**'], [anyProcess, otherPackages(['kit', 'domain', 'stack', 'testing'])]),
  // What listens has the rules of kit's listener, the example of a login backend too.
  forbid(['demo/**'], [anyProcess, otherPackages(['kit(?!/http/)', 'domain', 'stack', 'testing'])]),
  forbid(['console/*', 'console/src/**'], ofConsole),
  ...CONSOLE_LAYERS.map((layer, index) =>
    forbid([`console/src/${layer}/**`], [...ofConsole, ...ofConsoleLayer(index)]),
  ),
  forbid(['gateway/src/**'], ofGateway),
  forbid(['gateway/src/{config,mount-console}.ts'], ofGatewayRoot),
  ...gatewayLayers,
  forbid(['console/server/**'], [anyProcess, otherPackages(['client']), ofConsolePages]),
  ...services.map((name) =>
    forbid(
      [`services/${name}/**`],
      [
        anyProcess,
        {
          regex: `^(\\.\\./)+(${services.filter((other) => other !== name).join('|')})/(src|test)/`,
          message: anyProcess.message,
        },
      ],
    ),
  ),
];

// One dialect: what a stranger has read once they know everywhere.
const forbiddenSyntax = [
  ...['', 'ExportNamedDeclaration > '].map((exported) => ({
    selector: `Program > ${exported}VariableDeclaration > VariableDeclarator > ArrowFunctionExpression`,
    message: 'Write a function declaration.',
  })),
  ...['ObjectExpression', 'ArrayExpression'].map((type) => ({
    selector: `SpreadElement[argument.type="${type}"]`,
    message: 'Write its properties out: spread, they are not checked for excess ones.',
  })),
];
// Whoever sends bytes decides how small the pieces are.
const gathered = [
  'ForOfStatement[await=true] CallExpression[callee.property.name="push"] > Identifier[name=/^(chunk|piece|bytes|data)$/]',
  'CallExpression[callee.property.name="on"][arguments.0.value="data"] CallExpression[callee.property.name="push"] > Identifier[name=/^(chunk|piece|bytes|data)$/]',
].map((selector) => ({
  selector,
  message: 'Gather bytes with GatheredBytes of kit, not in a list of pieces.',
}));
// Whatever listens has the same rules.
const ownListener = [
  'CallExpression[callee.name=/^create(Secure)?Server$/]',
  'CallExpression[callee.property.name=/^create(Secure)?Server$/]',
  'NewExpression[callee.property.name="Server"]',
].map((selector) => ({ selector, message: 'Use createListener of @parley/kit/http/listener.' }));
// A name within a path is structure as soon as it is `..`: the libraries, the console and the programs that call the platform have one
// function each that puts names into paths.
const builtPath = [
  ':not(TaggedTemplateExpression) > TemplateLiteral > TemplateElement[tail=false][value.raw=/^\\u002f(.*\\u002f)?$/]',
  'BinaryExpression[operator="+"] > Literal.left[value=/^\\u002f(.*\\u002f)?$/]',
].map((selector) => ({ selector, message: 'Build the path with pathOf or pathTo.' }));
const callers = {
  files: [
    'packages/client/src/**/*.ts',
    'packages/react/src/**/*.{ts,tsx}',
    'packages/react-ui/src/**/*.{ts,tsx}',
    'console/src/**/*.{ts,tsx}',
    'cli/src/**/*.ts',
    'demo/src/**/*.ts',
    'demo/chat/src/**/*.{ts,tsx}',
  ],
  ignores: ['**/*.test.ts'],
  rules: { 'no-restricted-syntax': ['error', ...forbiddenSyntax, ...ownListener, ...gathered, ...builtPath] },
};
const parley = { rules: { 'linear-regexp': linearRegexp, 'monotonic-durations': monotonicDurations } };
const dialect = {
  files: [
    'gateway/src/**/*.ts',
    'console/server/src/**/*.ts',
    'services/*/src/**/*.ts',
    'packages/*/src/**/*.{ts,tsx}',
    'cli/src/**/*.ts',
    'demo/src/**/*.ts',
    'demo/chat/src/**/*.{ts,tsx}',
    'console/src/**/*.{ts,tsx}',
  ],
  ignores: ['**/*.test.ts', '**/testing/**', '**/crash-fixture.ts'],
  rules: {
    'no-restricted-syntax': ['error', ...forbiddenSyntax, ...ownListener, ...gathered],
    'max-params': ['error', 4],
    '@typescript-eslint/naming-convention': [
      'error',
      {
        selector: 'variable',
        modifiers: ['const', 'global'],
        types: ['boolean', 'number', 'string', 'array'],
        format: ['UPPER_CASE'],
      },
    ],
  },
};

export default defineConfig(
  {
    ignores: [
      '**/node_modules/',
      '**/dist/',
      'proto/gen/',
      'proto/gen.new/',
      'packages/contract/gen/',
      'packages/client/gen/',
      // Compiled by the applications that begin with it.
      'packages/create/template/',
      '**/.parley/',
      'coverage/',
    ],
  },
  js.configs.recommended,
  ts.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [] }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      // An interface gives the type of an inferred object a name, which editors and the reference show.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_$', ignoreRestSiblings: true },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      // The compiler knows what is defined.
      'no-undef': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        URL: 'readonly',
        setInterval: 'readonly',
      },
    },
  },
  {
    // Scripts of pages.
    files: ['site/rest/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'fetch', 'localStorage', 'matchMedia', 'MutationObserver'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    files: [
      'gateway/src/**/*.ts',
      'console/server/src/**/*.ts',
      'services/*/src/**/*.ts',
      'packages/{http,kit}/src/**/*.ts',
    ],
    ignores: ['**/*.test.ts', '**/*-fixture.ts', '**/testing/**', 'packages/kit/src/runtime/clock/index.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['setTimeout', 'setInterval'].map((name) => ({
          name,
          message:
            'It inherits the deadline of the request that sets it. Use a clock, startTimeout or startInterval of kit, or await node:timers/promises.',
        })),
      ],
    },
  },
  dialect,
  callers,
  {
    // Where the time of the database is known. The files that are left out turn the machine's clock into other times.
    files: [
      'gateway/src/**/*.ts',
      'services/*/src/**/*.ts',
      'packages/{administration,http,kit,outbound,blobs,domain}/src/**/*.ts',
    ],
    ignores: [
      '**/*.test.ts',
      '**/*-fixture.ts',
      '**/testing/**',
      'packages/kit/src/runtime/clock/index.ts',
      'packages/kit/src/rpc/wall-time.ts',
    ],
    plugins: { parley },
    rules: { 'parley/monotonic-durations': 'error' },
  },
  {
    // Stand-ins for the providers of push notifications and the like, of which only tests know.
    files: ['packages/{stack,testing}/src/**/*.ts'],
    ignores: dialect.ignores,
    rules: { 'no-restricted-syntax': ['error', ...forbiddenSyntax] },
  },
  {
    // Callers write the texts that expressions see. The first two rules look at one match, the third at the next ones too.
    files: dialect.files,
    ignores: ['**/*.test.ts', '**/testing/**'],
    plugins: { regexp, parley },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      'parley/linear-regexp': 'error',
    },
  },
  {
    files: dialect.files,
    ignores: ['**/*.test.ts', '**/config.ts', '**/testing/env.ts'],
    rules: {
      'no-restricted-properties': ['error', ownEnvironment],
    },
  },
  {
    files: browserFiles,
    ignores: ['**/*.test.ts', '**/*.test.tsx', '**/testing/**'],
    rules: { 'no-restricted-properties': ['error', ownEnvironment, ...secureContext] },
  },
  {
    files: [
      '**/*.test.ts',
      '{lab,test}/**/*.ts',
      '{services/*,packages/*,gateway,console/server}/test/**/*.ts',
    ],
    rules: { 'no-restricted-properties': ['error', ...skewedNumbers] },
  },
  {
    files: ['lab/**/*.ts'],
    ignores: ['**/*.test.ts', 'lab/config.ts'],
    rules: { 'no-restricted-properties': ['error', ownEnvironment, ...skewedNumbers] },
  },
  {
    files: [
      'gateway/src/**/*.ts',
      'console/server/src/**/*.ts',
      'services/*/src/**/*.ts',
      'packages/{administration,http,kit,domain}/src/**/*.ts',
    ],
    // serve.ts refuses what Connect's parser, which is the library, refuses.
    ignores: ['**/*.test.ts', '**/testing/**', 'console/server/src/admin/serve.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@bufbuild/protobuf',
              importNames: ['create', 'toBinary', 'fromBinary'],
              message: 'Use those of @parley/codec: the same result for a third of the processor time.',
            },
          ],
        },
      ],
    },
  },
  {
    // In tests the functions that group tests may be longer.
    files: ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.mjs'],
    ignores: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    // A component that is longer shows two things.
    files: ['console/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }] },
  },
  ...boundaries,
);
