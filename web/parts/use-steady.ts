import { useCallback, useRef, useState } from 'preact/hooks';
import { keepSteady, type Steady } from '../../src/views/steady.ts';

interface Named {
  readonly id: string;
}

/**
 * A list that stands still while a pointer or the focus is in it. `hold` goes onto the element
 * around it; `letIn` shows what waits, once.
 */
export function useSteady<Item extends Named>(wanted: readonly Item[]) {
  const held = useRef<readonly Item[] | undefined>(undefined);
  const within = useRef({ pointer: false, focus: false });
  const [, redraw] = useState(0);
  const isHeld = within.current.pointer || within.current.focus;
  const steady: Steady<Item> = keepSteady(wanted, isHeld ? held.current : undefined);
  held.current = steady.shown.map(({ item }) => item);

  const set = useCallback((more: Partial<typeof within.current>) => {
    within.current = { ...within.current, ...more };
    redraw((n) => n + 1);
  }, []);
  const letIn = useCallback(() => {
    held.current = undefined;
    redraw((n) => n + 1);
  }, []);
  const hold = {
    // A finger is no pointer that rests somewhere.
    onPointerEnter: (event: PointerEvent) => set({ pointer: event.pointerType === 'mouse' }),
    onPointerLeave: () => set({ pointer: false }),
    onFocusIn: () => set({ focus: true }),
    onFocusOut: (event: FocusEvent) => {
      const inside = event.currentTarget as Node;
      if (!inside.contains(event.relatedTarget as Node | null)) set({ focus: false });
    },
  };
  return { ...steady, hold, letIn };
}
