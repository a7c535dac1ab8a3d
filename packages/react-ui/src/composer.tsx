import type { Conversation } from '@parley/client';
import { useClient, useTyping } from '@parley/react';
import {
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { bytesOf, INLINE_BYTES, sendComposed } from './compose.ts';
import { isComposing } from './composing.ts';
import { EmojiButton, FileButton } from './composer-buttons.tsx';
import { useDraft } from './drafts.ts';
import { Icon } from './icon.tsx';
import { sendingOf, setSending, useSending } from './sending.ts';
import { useLanguage } from './settings.ts';
import { StagedFiles, stageFiles, useStagedFiles, useUnstagedElsewhere } from './staged-files.tsx';
import { useRules } from './types.ts';
import { useDrop } from './use-drop.ts';
import { SlowMode, slowModeOf, useSilence } from './writing.tsx';

/** Properties of the composer. */
export type ComposerProps = {
  readonly conversation: Conversation;
  /** More buttons of the application, before the one that sends. */
  readonly children?: ReactNode;
};

/**
 * The field in which a message is written. Enter sends it, Shift and Enter begins a line. Files come by the button, by paste
 * and by drop, and are uploaded at once. What was written is kept on the device until it is sent. Where the user may not write it
 * says why instead; in slow mode it counts down to the next message.
 *
 * @param props The conversation.
 * @returns The element.
 * @example <Composer conversation={conversation} />
 */
export function Composer(props: ComposerProps): ReactElement {
  const silence = useSilence(props.conversation);
  if (silence === undefined) return <OpenComposer {...props} />;
  return (
    <p className="parley-former" role="status">
      {silence}
    </p>
  );
}

function OpenComposer({ conversation, children }: ComposerProps): ReactElement {
  const client = useClient();
  const { texts } = useLanguage();
  const interval = slowModeOf(conversation, useRules(conversation));
  const [isWaiting, wait] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, change, files, submit, isSending, problem } = useMessageToSend(conversation);
  const stage = (added: Iterable<File>): void => {
    if (client) stageFiles(client, conversation.id, added);
    field.current?.focus();
  };
  const isOver = useDrop(form, stage);
  const isSendable = (text.trim() !== '' || files.length > 0) && !isWaiting;
  return (
    <form
      ref={form}
      className="parley-composer"
      data-over={isOver || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (isSendable) void submit();
      }}
    >
      <StagedFiles files={files} />
      {isOver && <p className="parley-drop">{texts.dropFiles}</p>}
      <div className="parley-composer-row">
        <FileButton stage={stage} />
        <textarea
          ref={field}
          className="parley-field"
          aria-label={texts.message}
          placeholder={texts.message}
          rows={1}
          dir="auto"
          enterKeyHint="send"
          value={text}
          readOnly={isSending}
          onChange={({ target }) => change(target.value)}
          onKeyDown={submitWithEnter}
          onPaste={(event) => pasteFiles(event, stage)}
        />
        <EmojiButton
          insert={(emoji) => {
            const { current } = field;
            current?.setRangeText(emoji, current.selectionStart, current.selectionEnd, 'end');
            if (current) change(current.value);
            current?.focus();
          }}
        />
        {children}
        <button className="parley-send" aria-label={texts.send} disabled={!isSendable || isSending}>
          <Icon name={isSending ? 'sending' : 'send'} />
        </button>
      </div>
      {interval > 0 && <SlowMode conversation={conversation} interval={interval} wait={wait} />}
      <Notes text={text} problem={problem} />
    </form>
  );
}

/** The text and the files of the next message, and how it is sent. */
function useMessageToSend(conversation: Conversation) {
  const client = useClient();
  const { texts, fill } = useLanguage();
  const [text, setText] = useDraft(conversation.id);
  const files = useStagedFiles(conversation.id);
  useUnstagedElsewhere();
  const { setTyping } = useTyping(conversation.id);
  const { id } = conversation;
  const { isUnderWay, problem } = useSending(client, id);
  async function submit(): Promise<void> {
    if (!client || sendingOf(client, id).isUnderWay) return;
    setTyping(false);
    const message = { text: text.trim(), files };
    // A short text is on the device at once; files may take a while, in which the text can still be seen.
    const isQuick = files.length === 0 && bytesOf(message.text) <= INLINE_BYTES;
    if (isQuick) setText('');
    else setSending(client, id, { isUnderWay: true, problem: '' });
    const end = (reason?: string): void => {
      const isOther = isQuick && sendingOf(client, id).isUnderWay;
      const shown = reason === undefined ? '' : fill(texts.notSent, { reason });
      setSending(client, id, { isUnderWay: isOther, problem: shown });
    };
    try {
      await sendComposed(client, conversation, message);
      if (!isQuick) setText('');
      end();
    } catch (error) {
      if (isQuick) setText(text);
      end(error instanceof Error ? error.message : String(error));
    }
  }
  function change(next: string): void {
    setText(next);
    setTyping(next !== '');
  }
  return { text, change, files, submit, isSending: isUnderWay, problem };
}

/** Shift and Enter begins a new line, and so does Enter while characters are composed. */
function submitWithEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Takes files from the clipboard, unless they are another form of a text. */
function pasteFiles(
  event: ClipboardEvent<HTMLTextAreaElement>,
  stage: (files: Iterable<File>) => void,
): void {
  const { files, types } = event.clipboardData;
  if (files.length === 0 || types.includes('text/plain')) return;
  event.preventDefault();
  stage([...files]);
}

function Notes({ text, problem }: { text: string; problem: string }): ReactElement {
  const { texts, count } = useLanguage();
  const isLong = text.length > INLINE_BYTES / 4 && bytesOf(text) > INLINE_BYTES;
  return (
    <p className="parley-notes" role="status">
      {isLong && `${count(texts.charactersLong, [...text].length)} · ${texts.sentAsFile}`}
      {problem !== '' && <span className="parley-problem">{problem}</span>}
    </p>
  );
}
