import type { Stopper } from '@parley/kit/runtime/process';
import type { Base } from '@parley/kit/service/base';
import type { Channels } from './channels.ts';
import { createClients, type Clients } from './clients.ts';
import { createDownloads, type Downloads } from './content/downloads.ts';
import { createEpochs, type Epochs } from './epochs/index.ts';
import { createAudiences, type Audiences } from './messaging/audiences.ts';
import { createMessagePlaces, type MessagePlaces } from './messaging/message-places.ts';
import { createMessageSender, type MessageSender } from './messaging/message-sender.ts';
import { createMessageTexts, type MessageTexts } from './messaging/message-texts.ts';
import { createReactionRecorder, type ReactionRecorder } from './messaging/reaction-recorder.ts';
import { createReceiptRecorder, type ReceiptRecorder } from './messaging/receipt-recorder.ts';
import { createReplicaAffinity } from './messaging/replica-affinity.ts';
import { createPresenceReporter, type PresenceReporter } from './presence/reporter.ts';
import type { UpstreamConfig } from './settings.ts';

/** The services that this gateway calls, and what it caches of their answers. */
export type Upstream = Clients & {
  audiences: Audiences;
  /** Signs download addresses of content in answers and packets. */
  downloads: Downloads;
  /** Epochs of the databases of the services with change logs. */
  epochs: Epochs;
  messagePlaces: MessagePlaces;
  messageSender: MessageSender;
  messageTexts: MessageTexts;
  presenceReporter: PresenceReporter;
  reactionRecorder: ReactionRecorder;
  receiptRecorder: ReceiptRecorder;
};

type Options = {
  config: UpstreamConfig;
  channels: Channels;
  base: Base;
  stopper: Stopper;
  /** Whether users of an application are connected to this gateway. */
  isFollowed(appId: string): boolean;
};

export function createUpstream({ config, channels, base, stopper, isFollowed }: Options): Upstream {
  const { clock, log, metrics } = base;
  const clients = createClients(channels);
  const { identity, messaging, content, presences } = clients;
  const audiences = createAudiences(messaging);
  stopper.add('audiences', () => audiences.stop());
  const affinity = createReplicaAffinity(channels.preferredMessagingReplica);
  const messagePlaces = createMessagePlaces();
  const messageSender = createMessageSender({
    messaging,
    content,
    identity,
    affinity,
    metrics,
    callBack: channels.callMessagingBack,
  });
  stopper.add('message sender', () => messageSender.stop());
  const receiptRecorder = createReceiptRecorder({ messaging, affinity, messagePlaces, metrics });
  stopper.add('receipt recorder', () => receiptRecorder.stop());
  const { reactions } = clients;
  const reactionRecorder = createReactionRecorder({ reactions, affinity, messagePlaces, metrics });
  stopper.add('reaction recorder', () => reactionRecorder.stop());
  const presenceReporter = createPresenceReporter({ presences, clock, log });
  stopper.add('presence', () => presenceReporter.stop());
  const epochs = createEpochs({ ...clients, clock, log });
  stopper.add('epochs', () => epochs.stop());
  return {
    ...clients,
    audiences,
    downloads: createDownloads(config, clock),
    epochs,
    messagePlaces,
    messageSender,
    messageTexts: createMessageTexts(isFollowed),
    presenceReporter,
    reactionRecorder,
    receiptRecorder,
  };
}
