import type { Transport } from '@connectrpc/connect';
import { limits } from '@parley/contract/limits';
import type { ErrorDocs } from '@parley/domain/problems';
import { createWire, type Wire } from '@parley/domain/wire';
import { openBase, type Base, type BaseOverrides } from '@parley/kit/service/base';
import { openFigures, type Figures } from '@parley/usage/recorder';
import type { Stopper } from '@parley/kit/runtime/process';
import { createResponseSlots, type ResponseSlots } from '@parley/http/answers/slots';
import { createAuth, type Auth } from './admission/auth/index.ts';
import { createChannels } from './upstream/channels.ts';
import { createClients, type Clients } from './upstream/clients.ts';
import type { Config } from './config.ts';
import { createHub, type Hub } from './realtime/connection/hub.ts';
import { createConsoleSignIn, type ConsoleSignIn } from '@parley/console-server/sign-in/oidc/index';
import { createDownloads, type Downloads } from './upstream/content/downloads.ts';
import { createEpochs, type Epochs } from './upstream/epochs/index.ts';
import { createLimits, type Limits } from './admission/limits/index.ts';
import { createAudiences, type Audiences } from './upstream/messaging/audiences.ts';
import { createReplicaAffinity } from './upstream/messaging/replica-affinity.ts';
import { createMessagePlaces, type MessagePlaces } from './upstream/messaging/message-places.ts';
import { createMessageSender, type MessageSender } from './upstream/messaging/message-sender.ts';
import { createMessageTexts, type MessageTexts } from './upstream/messaging/message-texts.ts';
import { createReceiptRecorder, type ReceiptRecorder } from './upstream/messaging/receipt-recorder.ts';
import { createPresenceReporter, type PresenceReporter } from './realtime/presence/reporter.ts';
import { createOperatorLog, type OperatorLog } from '@parley/administration/audit/log';
import { createOperatorRequests, type OperatorRequests } from './admission/console-tokens.ts';
import { createRequestLog, type RequestLog } from '@parley/http/exchange/request-log';
import { createSite, type Site } from '@parley/console-server/site/index';

/** Everything that opens, waits or is shared; what the handlers of this process work with. */
export type GatewayContext = Base &
  Clients & {
    config: Config;
    wire: Wire;
    errorDocs: ErrorDocs;
    site: Site;
    consoleSignIn: ConsoleSignIn;
    operatorLog: OperatorLog;
    operatorRequests: OperatorRequests;
    /** Download addresses of content that is shown. */
    downloads: Downloads;
    auth: Auth;
    /** Of answers in memory. */
    responseSlots: ResponseSlots;
    limits: Limits;
    audiences: Audiences;
    /** Of the databases of the services with change logs. */
    epochs: Epochs;
    presenceReporter: PresenceReporter;
    messageSender: MessageSender;
    hub: Hub;
    messageTexts: MessageTexts;
    messagePlaces: MessagePlaces;
    receiptRecorder: ReceiptRecorder;
    requestLog: RequestLog;
    /** What the console's charts show. */
    figures: Figures;
  };

/** What a test puts in the place of the real one. */
export type Overrides = BaseOverrides & {
  identityTransport?: Transport;
  messagingTransport?: Transport;
  contentTransport?: Transport;
};

/** Opens what the gateway needs, and leaves to `stopper` to close it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<GatewayContext> {
  const largestMessage = limits.eventBytes;
  const base = await openBase({ name: 'gateway', config, overrides, stopper, largestMessage });
  const { clock, log, metrics, tls } = base;
  const wire = createWire(config.wireName);
  const channels = createChannels(config, { log, tls, stopper, ...overrides });
  const clients = createClients(channels);
  const figures = openFigures(channels.identity, base, stopper);
  const { identity, messaging, content, presences } = clients;
  const auth = createAuth({ identity, wire, clock, followedClock: base.followedClock, log });
  stopper.add('authentication', () => auth.stop());
  const audiences = createAudiences(messaging);
  stopper.add('audiences', () => audiences.stop());
  const hub = createHub();
  const affinity = createReplicaAffinity(channels.preferredMessagingReplica);
  const messagePlaces = createMessagePlaces();
  const messageSender = createMessageSender({ messaging, content, identity, affinity, metrics });
  stopper.add('message sender', () => messageSender.stop());
  const receiptRecorder = createReceiptRecorder({ messaging, affinity, messagePlaces, metrics });
  stopper.add('receipt recorder', () => receiptRecorder.stop());
  const presenceReporter = createPresenceReporter({ presences, clock, log });
  stopper.add('presence', () => presenceReporter.stop());
  const errorDocs = { url: `${config.publicUrl}/docs/errors`, wire };
  const operatorLog = createOperatorLog({ access: clients.consoleAccess, errorDocs, log });
  stopper.add('operator log', () => operatorLog.stop());
  return {
    ...base,
    ...clients,
    config,
    wire,
    errorDocs,
    site: createSite(config, wire),
    consoleSignIn: createConsoleSignIn(config),
    operatorLog,
    operatorRequests: createOperatorRequests({ access: clients.consoleAccess, log: operatorLog }),
    downloads: createDownloads(config, clock),
    auth,
    responseSlots: createResponseSlots(),
    limits: createLimits(config.limits, clock),
    audiences,
    epochs: openEpochs(clients, base, stopper),
    presenceReporter,
    messageSender,
    hub,
    messageTexts: createMessageTexts((appId) => hub.usersOf(appId) !== undefined),
    messagePlaces,
    receiptRecorder,
    figures,
    requestLog: createRequestLog({
      log,
      clock,
      slowMs: config.slowRequestMs,
      share: config.requestLogShare,
    }),
  };
}

function openEpochs(clients: Clients, { clock, log }: Base, stopper: Stopper): Epochs {
  const epochs = createEpochs({ ...clients, clock, log });
  stopper.add('epochs', () => epochs.stop());
  return epochs;
}
