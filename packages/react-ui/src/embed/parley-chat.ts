import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { showStyles } from '../style-sheet.ts';
import { languageOf } from './language-of.ts';
import { createLink, type ChatLink } from './chat-link.ts';
import type { ChatAttributes } from './chat-settings.ts';
import { EmbeddedChat } from './embedded-chat.tsx';

/**
 * A chat in any page. Attributes: `platform`, `application` and `token-endpoint`; `conversation`, `theme` and `lang` if wanted.
 *
 * @example <parley-chat platform="https://chat.example.com" application="svc:///apps/…" token-endpoint="/identity-token"></parley-chat>
 */
export class ParleyChatElement extends HTMLElement {
  static readonly observedAttributes = [
    'platform',
    'application',
    'token-endpoint',
    'conversation',
    'theme',
    'lang',
  ];
  #root: Root | undefined;
  #link: ChatLink | undefined;
  #linked = '';
  #isDue = false;

  connectedCallback(): void {
    this.#update();
  }

  disconnectedCallback(): void {
    this.#update();
  }

  attributeChangedCallback(): void {
    this.#update();
  }

  /**
   * Ends the session of the user and removes their messages from the device. To be called when the page logs the user out.
   *
   * @returns When it is done.
   * @throws ParleyError if the chat has ended already.
   * @example await document.querySelector('parley-chat').logout();
   */
  async logout(): Promise<void> {
    await this.#link?.logout();
  }

  /** Once for several changes, and for an element that is moved in the page. */
  #update(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.isConnected) this.#show();
      else this.#end();
    });
  }

  #show(): void {
    const attributes: ChatAttributes = {
      platform: this.getAttribute('platform'),
      application: this.getAttribute('application'),
      tokenEndpoint: this.getAttribute('token-endpoint'),
    };
    const linked = JSON.stringify(attributes);
    if (linked !== this.#linked || !this.#link) {
      this.#link?.close();
      this.#link = createLink(attributes);
      this.#linked = linked;
    }
    this.#root ??= createRoot(this.#shadow());
    const theme = this.getAttribute('theme');
    this.#root.render(
      createElement(EmbeddedChat, {
        link: this.#link,
        texts: languageOf(this),
        theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
        conversation: this.getAttribute('conversation') || undefined,
      }),
    );
  }

  #shadow(): ShadowRoot {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    showStyles(shadow);
    return shadow;
  }

  #end(): void {
    this.#root?.unmount();
    this.#root = undefined;
    this.#link?.close();
    this.#link = undefined;
  }
}
