import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { Failure } from '../../base/Failure';
import { Loading } from '../../base/Loading';
import { PageLink } from '../../base/PageLink';
import { choiceLabel } from '../../declarations/labels';
import { State } from '../../resources/State';
import { layout, type Line, NODE, type Node } from './layout';
import { pathsQuery } from './queries';
import { cut, type Host, isBroken, isNarrow } from './records';

/** Characters of a name that have room in a node. */
const LONGEST = 22;

/** The paths of a host, from it to its LUNs and namespaces. Each part is a link. */
export function PathDrawing({ host }: { host: Host }) {
  const { t } = useTranslation();
  const { data, isPending, isError, error, refetch } = useQuery(pathsQuery(host));
  const drawing = useMemo(() => data && layout(host, data), [host, data]);
  const titles = [
    t('Host'),
    t('Initiator'),
    t('Network interface'),
    t('Igroup or subsystem'),
    t('LUN or namespace'),
  ];
  const broken = data?.filter((path) => isBroken(path) || isNarrow(path)) ?? [];
  return (
    <section className="card path-drawing" aria-label={t('Paths of {{host}}', { host: host.name })}>
      <h2>{t('Paths of {{host}}', { host: host.name })}</h2>
      {isError && (
        <Failure
          component="h3"
          title={t('The paths could not be loaded.')}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <Loading />}
      {broken.length > 0 && (
        <ul className="path-faults">
          {[...new Set(broken.map(({ message }) => message))].map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {drawing && (
        <div
          className="path-scroller"
          role="region"
          aria-label={t('Drawing of the paths')}
          tabIndex={0}
        >
          <div className="path-canvas" style={{ width: drawing.width }}>
            <div className="path-titles" aria-hidden="true">
              {drawing.columns.map((_column, number) => (
                <span key={number} style={{ width: NODE.width }}>
                  {titles[number]}
                </span>
              ))}
            </div>
            <div className="path-nodes" style={{ height: drawing.height }}>
              <Lines width={drawing.width} height={drawing.height} lines={drawing.lines} />
              {drawing.columns.map((column, number) => (
                <ul key={number} aria-label={titles[number]!}>
                  {column.map((node) => (
                    <li
                      key={node.id}
                      style={{ left: node.x, top: node.y, width: NODE.width, height: NODE.height }}
                    >
                      <DrawnNode node={node} />
                    </li>
                  ))}
                </ul>
              ))}
            </div>
          </div>
        </div>
      )}
    </section>
  );
}

function Lines({ width, height, lines }: { width: number; height: number; lines: Line[] }) {
  return (
    <svg width={width} height={height} aria-hidden="true" className="path-lines">
      {lines.map(({ from, to, state, d }) => (
        <path key={`${from} ${to}`} d={d} className={`path-line path-line-${state || 'plain'}`} />
      ))}
    </svg>
  );
}

function DrawnNode({ node }: { node: Node }) {
  const { t, i18n } = useTranslation();
  const text = node.kind === 'more' ? t('{{number}} more', { number: node.text }) : node.text;
  const since =
    node.since &&
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'short', timeStyle: 'short' }).format(
      new Date(node.since),
    );
  const word = node.state ? choiceLabel(t, node.state) : '';
  const detail = [node.detail, node.transport && choiceLabel(t, node.transport)]
    .filter(Boolean)
    .join(' · ');
  return (
    <PageLink
      to={node.to}
      className={`path-node path-node-${node.kind}`}
      title={[text, detail, word, since && t('since {{time}}', { time: since }), node.message]
        .filter(Boolean)
        .join('\n')}
    >
      <span className="path-node-text">{cut(text, LONGEST)}</span>
      {detail && <span className="path-node-detail quiet">{detail}</span>}
      {node.state && (
        <span className="path-node-detail">
          <State value={node.state} />
          {since && node.state !== 'connected' && (
            <time dateTime={node.since}>{t('since {{time}}', { time: since })}</time>
          )}
        </span>
      )}
    </PageLink>
  );
}
