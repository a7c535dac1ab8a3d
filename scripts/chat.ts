// Builds the chat of the demonstration application, unless it is up to date.
import { bundleChat, CHAT } from './build/chat.ts';
import { isUpToDate } from './build/inputs.ts';

// esbuild has printed the errors by then.
if (!isUpToDate(CHAT, 'index.html')) await bundleChat().catch(() => process.exit(1));
