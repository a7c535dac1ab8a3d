import { useEffect, useSyncExternalStore, type ReactElement } from 'react';
import { Chat } from '../chat.tsx';
import { ParleyProvider } from '../provider.tsx';
import { useLanguage } from '../settings.ts';
import type { Texts } from '../texts/texts.ts';
import type { ChatLink } from './chat-link.ts';
import type { ChatProblem } from './problem.ts';

type Props = {
  readonly link: ChatLink;
  readonly texts: Texts;
  readonly theme: 'light' | 'dark' | 'auto';
  /** URI of the one conversation that is shown; undefined for all. */
  readonly conversation: string | undefined;
};

/** A chat, or the reason why there is none. */
export function EmbeddedChat({ link, texts, theme, conversation }: Props): ReactElement {
  const { client, problem } = useSyncExternalStore(link.subscribe, link.getSnapshot);
  useRestart(link, problem);
  return (
    <ParleyProvider client={client} texts={texts} theme={theme}>
      {problem && <ProblemNote problem={problem} retry={link.restart} />}
      {client && (
        // The client may get over the problem; the chat is then as the user left it.
        <div style={{ display: problem ? 'none' : 'contents' }}>
          <Chat conversationId={conversation} />
        </div>
      )}
      {!client && !problem && (
        <p className="parley-chat parley-empty" role="status">
          {texts.connecting}
        </p>
      )}
    </ParleyProvider>
  );
}

/** Tries again when the device has a network again. */
function useRestart(link: ChatLink, problem: ChatProblem | undefined): void {
  useEffect(() => {
    if (!problem) return;
    window.addEventListener('online', link.restart);
    return () => window.removeEventListener('online', link.restart);
  }, [link, problem]);
}

function ProblemNote({ problem, retry }: { problem: ChatProblem; retry: () => void }): ReactElement {
  const { texts, fill } = useLanguage();
  const sentence = fill(texts[problem.text], problem.values);
  useEffect(() => {
    console.error(`parley-chat: ${sentence}`);
  }, [sentence]);
  return (
    <div className="parley-chat parley-empty">
      <div className="parley-refused">
        <p role="alert">{sentence}</p>
        <button type="button" className="parley-primary" onClick={retry}>
          {texts.retry}
        </button>
      </div>
    </div>
  );
}
