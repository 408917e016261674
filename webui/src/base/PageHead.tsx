import type { ReactNode } from 'react';

import { Prose } from './Prose';

interface Props {
  title: string;
  help?: string;
  above?: ReactNode;
  /** Beside the title, such as a state. */
  aside?: ReactNode;
  /** Actions. */
  children?: ReactNode;
}

export function PageHead({ title, help, above, aside, children }: Props) {
  return (
    <header className="page-head">
      {above}
      <div className="page-head-line">
        <h1>{title}</h1>
        {aside}
        <div className="page-head-actions">{children}</div>
      </div>
      {help && (
        <p className="page-help">
          <Prose text={help} />
        </p>
      )}
    </header>
  );
}
