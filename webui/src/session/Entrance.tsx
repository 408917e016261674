import type { ReactNode } from 'react';

import { Sign } from '../base/Sign';
import { Preferences } from './Preferences';

/** The page before the login: a card in the middle. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="entrance">
      <main className="entrance-card">
        <Sign />
        <h1>{title}</h1>
        {children}
      </main>
      <div className="entrance-preferences">
        <Preferences />
      </div>
    </div>
  );
}
