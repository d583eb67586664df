import { useEffect, useState } from 'preact/hooks';

/** The only place of the page that reads a clock. */

export function wallNow(): number {
  return Date.now();
}

/** Never jumps. */
export function steadyNow(): number {
  return performance.now();
}

type Listener = () => void;

/** One timer for all that tells a span of time; none while nobody does. */
const listeners = new Set<Listener>();
let timer: ReturnType<typeof setInterval> | undefined;

function onSecond(listener: Listener): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const one of [...listeners]) one();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, told anew each so many seconds. */
export function useNow(everySeconds: number): number {
  const [now, setNow] = useState(wallNow);
  useEffect(() => {
    let count = 0;
    return onSecond(() => {
      count++;
      if (count % everySeconds === 0) setNow(wallNow());
    });
  }, [everySeconds]);
  return now;
}

/** What `tell` makes of the time; drawn again only when that changes. */
export function useTold(tell: (now: number) => string): string {
  const [, redraw] = useState('');
  useEffect(() => onSecond(() => redraw(tell(wallNow()))), [tell]);
  return tell(wallNow());
}
