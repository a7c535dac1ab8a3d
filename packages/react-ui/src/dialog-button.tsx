import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useLanguage } from './settings.ts';

type Props = {
  /** On the button, and above the dialog. */
  readonly label: string;
  readonly className?: string;
  /** On the button that submits; by default the label. */
  readonly submit?: string;
  /** Called with the fields. The dialog stays open, and says why, if it rejects. */
  readonly act: (fields: FormData) => Promise<unknown>;
  /** The fields; without any the dialog asks whether to go on. */
  readonly children?: ReactNode;
};

/** A button with a dialog, which does something only when the dialog is submitted. */
export function DialogButton(props: Props): ReactElement {
  const { label, className } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && <Dialog {...props} close={() => setOpen(false)} />}
    </>
  );
}

function Dialog({
  label,
  submit = label,
  act,
  close,
  children,
}: Props & { readonly close: () => void }): ReactElement {
  const { texts } = useLanguage();
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState('');
  const [isPending, setPending] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const leave = (): void => dialog.current?.close();
  function fail({ message }: Error): void {
    setProblem(message);
    setPending(false);
  }
  return (
    <dialog
      ref={dialog}
      className="parley-dialog"
      aria-label={label}
      onClose={close}
      // Escape leaves the dialog, and neither the menu nor the details below it.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2>{label}</h2>
      <form
        className="parley-restrict"
        onSubmit={(event) => {
          event.preventDefault();
          setPending(true);
          act(new FormData(event.currentTarget)).then(leave, fail);
        }}
      >
        {children}
        <Problem text={problem} />
        <footer>
          <button type="button" className="parley-plain" onClick={leave}>
            {texts.cancel}
          </button>
          <button className={children ? 'parley-primary' : 'parley-danger'} disabled={isPending}>
            {submit}
          </button>
        </footer>
      </form>
    </dialog>
  );
}

/** Says why something failed; nothing of an empty text. */
export function Problem({ text }: { text: string }): ReactElement | null {
  if (text === '') return null;
  return (
    <p className="parley-problem" role="alert">
      {text}
    </p>
  );
}
