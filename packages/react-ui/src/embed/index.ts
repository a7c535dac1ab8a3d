import { ParleyChatElement } from './parley-chat.ts';

// A page may load the script twice.
if (!customElements.get('parley-chat')) customElements.define('parley-chat', ParleyChatElement);

export { ParleyChatElement };
