import { useSyncExternalStore } from 'react';

/** A value that is outside of all components and redraws those that use it. */
export class Store<Value> {
  private readonly watchers = new Set<() => void>();

  constructor(private value: Value) {}

  get = (): Value => this.value;

  set = (value: Value): void => {
    if (Object.is(value, this.value)) return;
    this.value = value;
    this.watchers.forEach((watcher) => watcher());
  };

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.watch, store.get);
}

/** A text that the browser keeps beyond this page; without storage it lasts as long as the page. */
export function kept(name: string, otherwise: string): Store<string> {
  const key = `sanstone.${name}`;
  const store = new Store(read(key) ?? otherwise);
  store.watch(() => {
    try {
      localStorage.setItem(key, store.get());
    } catch {
      // Storage may be forbidden or full.
    }
  });
  return store;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
