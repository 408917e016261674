import { useTranslation } from 'react-i18next';

import { Bar } from '../../base/Bar';
import { PageLink } from '../../base/PageLink';
import { formatTime } from '../../base/times';
import type { OverviewProps } from '../../resources/presentation';
import { State } from '../../resources/State';
import { LocateButton } from './LocateButton';
import { conditionOfDisk, type Disk, isTooHot, NEARLY_WORN_OUT, WORN_OUT } from './shelves';

/** How a disk is, and where. */
export default function DiskOverview({ record }: OverviewProps) {
  const { t } = useTranslation();
  const disk = record as Disk;
  return (
    <div className="facts">
      <section className="card" aria-label={t('Condition')}>
        <h2>{t('Condition')}</h2>
        <HealthOf disk={disk} />
      </section>
      <section className="card" aria-label={t('Place')}>
        <h2>{t('Place')}</h2>
        <dl>
          <Fact name={t('Shelf')}>
            {disk.shelf?.uid ? (
              <PageLink to={`/storage/shelves/${disk.shelf.uid}`}>{disk.shelf.uid}</PageLink>
            ) : (
              t('No shelf tells of it.')
            )}
          </Fact>
          {disk.bay !== undefined && <Fact name={t('Bay')}>{disk.bay}</Fact>}
          <Fact name={t('Serial number')}>{disk.serial_number}</Fact>
          <Fact name={t('Locate light')}>
            <LocateButton disk={disk} />{' '}
            {disk.location_led === 'on' && (
              <span className="quiet">{t('It goes off by itself after half an hour.')}</span>
            )}
          </Fact>
        </dl>
      </section>
    </div>
  );
}

function HealthOf({ disk }: { disk: Disk }) {
  const { t, i18n } = useTranslation();
  const { health, rated_life_used_percent: used, temperature, temperature_limit: limit } = disk;
  const hours = disk.stats?.power_on_hours;
  const number = new Intl.NumberFormat(i18n.language);
  const counts = [
    [t('Errors that were not corrected'), disk.media_errors],
    [t('Sectors replaced'), disk.reallocated_sectors],
    [t('Sectors that wait to be replaced'), disk.pending_sectors],
  ] as const;
  const tells = [health?.passed, used, temperature, hours].some((each) => each !== undefined);
  return (
    <dl>
      <Fact name={t('State')}>
        <State value={conditionOfDisk(disk)} />
      </Fact>
      {disk.outage?.reason?.message && (
        <Fact name={t('Out of service')}>{disk.outage.reason.message}</Fact>
      )}
      {health?.message && <Fact name={t('What it says')}>{health.message}</Fact>}
      {!tells && !health?.message && (
        <Fact name={t('What it says')}>{t('This disk tells nothing of its health.')}</Fact>
      )}
      {used !== undefined && (
        <Fact name={t('Wear')}>
          <Bar
            percent={used}
            condition={used >= WORN_OUT ? 'bad' : used >= NEARLY_WORN_OUT ? 'warning' : 'normal'}
            text={t('{{percent}} % of its life used', { percent: used })}
          />
        </Fact>
      )}
      {temperature !== undefined && (
        <Fact name={t('Temperature')}>
          <span className="figure">
            {limit === undefined
              ? `${temperature} °C`
              : t('{{current}} °C, critical from {{limit}} °C', { current: temperature, limit })}
          </span>{' '}
          {isTooHot(disk) && <State value="too_hot" />}
        </Fact>
      )}
      {hours !== undefined && <Fact name={t('Hours of operation')}>{number.format(hours)}</Fact>}
      {counts.map(
        ([name, count]) =>
          count !== undefined && (
            <Fact key={name} name={name}>
              {number.format(count)}
            </Fact>
          ),
      )}
      {health?.last_checked && (
        <Fact name={t('Last answer')}>
          <time dateTime={health.last_checked}>
            {formatTime(health.last_checked, i18n.language)}
          </time>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
