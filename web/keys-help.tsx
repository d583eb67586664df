import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const keys = [
  ['1 … 5', 'Fleet, Line, Attention, Compose, Health'],
  ['/', 'filter'],
  ['↑ ↓ Page Home End', 'move in a list or tree'],
  ['Enter', 'open what is selected'],
  ['r', 'show what is new in a list that stands still'],
  ['Esc', 'back: out of a message, out of an agent'],
  ['Ctrl-]', 'give a terminal’s keyboard back'],
  ['?', 'this list'],
] as const;

export function KeysHelp({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} class="keys" aria-label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl class="facts">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
