import { useTranslation } from 'react-i18next';

import { formatTime } from '../../base/times';

const ROWS = 20;

interface Props {
  title: string;
  /** Seconds since 1970, in order. */
  moments: number[];
  columns: { label: string; values: string[] }[];
}

/** The figures of a chart as a table, for users who do not see it: the latest first. */
export function Figures({ title, moments, columns }: Props) {
  const { t, i18n } = useTranslation();
  const latest = moments.map((_moment, index) => index).slice(-ROWS);
  return (
    <details>
      <summary>{t('Figures')}</summary>
      <div
        className="figures-scroller"
        tabIndex={0}
        role="region"
        aria-label={`${t('Figures')}: ${title}`}
      >
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('Time')}</th>
              {columns.map(({ label }) => (
                <th key={label} scope="col" className="is-number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {latest.toReversed().map((index) => (
              <tr key={moments[index]}>
                <td>{formatTime(new Date(1000 * moments[index]!).toISOString(), i18n.language)}</td>
                {columns.map(({ label, values }) => (
                  <td key={label} className="is-number">
                    {values[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
