import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Armed } from '../../src/views/armed.ts';
import { steadyNow } from '../clock.ts';
import { describeFailure, type Words } from '../fault.ts';
import { usePage } from '../page.ts';

interface ActProps {
  /** Everything that a person decides by: another one is another item. */
  readonly face: string;
  readonly onAct: () => Promise<string | undefined>;
  readonly children: ComponentChildren;
  readonly tone?: 'plain' | 'good' | 'bad';
  /** It asks once more, with these words. */
  readonly confirm?: string;
  readonly isOff?: boolean;
}

/**
 * A button that changes something. It acts on what a person has seen for a second, once at a time,
 * and says beside it what came of it.
 */
export function Act(props: ActProps): JSX.Element {
  const { face, onAct, children, tone = 'plain', confirm, isOff = false } = props;
  const { isLocked } = usePage();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState<Words | string>();
  const { ref, isArmed, isShownArmed } = useArmed(`${face} ${isAsking}`);
  useEffect(() => {
    setAsking(false);
    setTold(undefined);
  }, [face]);

  const act = async (): Promise<void> => {
    setBusy(true);
    setTold(undefined);
    try {
      setTold(await onAct());
    } catch (error) {
      setTold(describeFailure(error));
    }
    setBusy(false);
    setAsking(false);
  };
  const press = (): void => {
    if (isBusy || isLocked || isOff || !isArmed()) return;
    if (confirm !== undefined && !isAsking) setAsking(true);
    else void act();
  };
  const isWaiting = isBusy || isLocked || isOff || !isShownArmed;
  return (
    <span class="act">
      <button
        ref={ref}
        type="button"
        class={`button ${isAsking ? 'bad' : tone}`}
        aria-disabled={isWaiting}
        onClick={press}
      >
        {isAsking ? confirm : children}
      </button>
      {isAsking && (
        <button type="button" class="button" onClick={() => setAsking(false)}>
          No
        </button>
      )}
      <Told told={isBusy ? '…' : told} />
    </span>
  );
}

/** What came of something, for eyes and ears. */
export function Told({ told }: { readonly told: Words | string | undefined }): JSX.Element {
  const isFault = typeof told === 'object';
  return (
    <span role="status" class={isFault ? 'told bad' : 'told'}>
      {isFault ? `${told.message} ${told.next}` : told}
    </span>
  );
}

function useArmed(face: string) {
  const ref = useRef<HTMLButtonElement>(null);
  const armed = useRef<Armed | undefined>(undefined);
  armed.current ??= new Armed();
  const [isShownArmed, setShown] = useState(false);
  // After each drawing: the button may stand elsewhere although nothing of it has changed.
  useLayoutEffect(() => {
    const { current } = armed;
    if (!current || !ref.current) return undefined;
    current.show(`${face} ${placeOf(ref.current)}`, steadyNow());
    const restMs = current.restMs(steadyNow());
    setShown(restMs === 0);
    if (restMs === 0) return undefined;
    const timer = setTimeout(() => setShown(true), restMs + 5);
    return () => clearTimeout(timer);
  });
  return { ref, isShownArmed, isArmed: () => armed.current?.isArmed(steadyNow()) ?? false };
}

/** On the page, whatever is scrolled: a person who scrolls knows that things move. */
function placeOf(element: HTMLElement): string {
  let [x, y] = [0, 0];
  for (let at: HTMLElement | null = element; at; at = at.offsetParent as HTMLElement | null) {
    x += at.offsetLeft;
    y += at.offsetTop;
  }
  return `${x},${y}`;
}
