import { createRoot } from 'react-dom/client';
import { Chat, ParleyProvider } from '../../../src/index.ts';
import { CONVERSATION, scriptedClient, type Scripted } from '../../../stories/scripted.ts';

let platform: Scripted;

/** Shows a conversation of many messages, or the list that it stands in. */
export function start(count: number, { isListed = false } = {}): void {
  platform = scriptedClient(count);
  const root = document.body.appendChild(document.createElement('main'));
  createRoot(root).render(
    <ParleyProvider client={platform.client}>
      <Chat conversationId={isListed ? undefined : CONVERSATION} />
    </ParleyProvider>,
  );
}

export function receive(text: string): void {
  platform.receive(text);
}

/** Number of requests by HTTP so far whose method and path end in a text. */
export function requested(end: string): number {
  return platform.requests.filter((request) => request.endsWith(end)).length;
}

/** Hides the chat, or shows it again, and waits for three frames. */
export async function hide(isHidden: boolean): Promise<void> {
  const root = document.querySelector('main') as HTMLElement;
  root.hidden = isHidden;
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}

/** Whether a field does something of its own with a press of Enter. */
export function takesEnter(selector: string, press: KeyboardEventInit): boolean {
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...press });
  return document.querySelector(selector)?.dispatchEvent(enter) === false;
}

function scroller(): HTMLElement {
  return document.querySelector<HTMLElement>('.parley-messages .parley-scroller') as HTMLElement;
}

/** Pixels between the end of each row and the beginning of the next one; negative where they overlap. */
export function gaps(): number[] {
  const places = [...document.querySelectorAll('.parley-row')].map((row) => row.getBoundingClientRect());
  return places.slice(1).map(({ top }, index) => top - (places[index]?.bottom ?? 0));
}

export function rows(): number {
  return document.querySelectorAll('.parley-row').length;
}

/** The message at the top of the visible part, and how far it is from there in pixels. */
export function place(): { text: string; top: number } {
  const { top } = scroller().getBoundingClientRect();
  const row = [...document.querySelectorAll('.parley-row')].find(
    (one) => one.getBoundingClientRect().bottom > top + 1,
  );
  return {
    text: row?.querySelector('.parley-text')?.textContent ?? '',
    top: (row?.getBoundingClientRect().top ?? 0) - top,
  };
}

export function scrollTo(offset: number): void {
  scroller().scrollTop = offset;
}

export function isAtEnd(): boolean {
  return scroller().scrollTop > -2;
}

export type Journey = { readonly mostRows: number; readonly longestFrameMs: number; readonly frames: number };

/** Scrolls up until a text is in the page, and says how many rows were there at most and how long the longest frame took. */
export async function scrollUpTo(text: string, pixels: number): Promise<Journey> {
  let [mostRows, longestFrameMs, frames] = [0, 0, 0];
  let last = performance.now();
  while (![...document.querySelectorAll('.parley-text')].some((one) => one.textContent?.startsWith(text))) {
    scroller().scrollTop -= pixels;
    const now = await new Promise<number>(requestAnimationFrame);
    longestFrameMs = Math.max(longestFrameMs, now - last);
    last = now;
    mostRows = Math.max(mostRows, rows());
    frames++;
  }
  return { mostRows, longestFrameMs, frames };
}
