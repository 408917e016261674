import { type ComponentType, lazy, Suspense } from 'react';

import { Loading } from './Loading';

/**
 * A part of a page that is fetched when it is first shown. It has a boundary of its own: without, all
 * of the page would go away until the part is there.
 */
export function part<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const Fetched = lazy(load) as unknown as ComponentType<Props>;
  return function Part(props: Props) {
    return (
      <Suspense fallback={<Loading />}>
        <Fetched {...props} />
      </Suspense>
    );
  };
}
