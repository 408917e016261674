import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { State } from '../../resources/State';
import { cut, type Host, keyOf } from './records';

/** Characters of a name that have room. */
const LONGEST = 32;
/** On a phone a host takes two lines. */
const ROW = matchMedia('(max-width: 48rem)').matches ? 56 : 36;

/** The hosts, those in the worst state first. One is chosen. */
export function HostList(props: {
  hosts: readonly Host[];
  chosen: Host | undefined;
  onChoose: (host: Host) => void;
}) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: props.hosts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const chosen = props.chosen && keyOf(props.chosen);
  const place = props.hosts.findIndex((host) => keyOf(host) === chosen);
  // One that moves in the list while it is chosen is not scrolled to.
  const show = useEffectEvent(() => {
    if (place >= 0) rows.scrollToIndex(place);
  });
  useEffect(() => show(), [chosen]);
  return (
    <nav className="card host-list" aria-label={t('Hosts')} ref={scroller}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const host = props.hosts[index]!;
          const key = keyOf(host);
          return (
            <li key={key} style={{ height: ROW, transform: `translateY(${start}px)` }}>
              <button
                type="button"
                aria-current={key === chosen ? 'true' : undefined}
                title={host.initiator.name}
                onClick={() => props.onChoose(host)}
              >
                <span className="host-name">{cut(host.name, LONGEST)}</span>
                <State value={host.state} />
                <span className="quiet host-initiator">
                  {host.initiator.name === host.name ? '' : host.initiator.name}
                </span>
                <span className="quiet host-svm">{host.svm.name}</span>
                <span className="quiet figure">
                  {host.paths.narrow
                    ? t('{{connected}} of {{total}} paths, {{narrow}} without large packets', {
                        ...host.paths,
                      })
                    : t('{{connected}} of {{total}} paths', { ...host.paths })}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
