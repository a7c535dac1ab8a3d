import type { ChannelOptions } from '@grpc/grpc-js';
import { MAX_MESSAGE_BYTES } from './byte-budget.ts';

/** Options for both ends. Each end notices within 15 s that its peer has vanished. */
export const CHANNEL_OPTIONS: ChannelOptions = {
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc-node.flow_control_window': 4 * 1024 * 1024,
  'grpc.enable_channelz': 0,
};
