/** The product's sign: three layers of stone. */
export function Sign() {
  return (
    <span className="sign">
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="7" className="sign-ground" />
        <g className="sign-layers">
          <rect x="7" y="7" width="18" height="4.5" rx="1.5" />
          <rect x="7" y="13.75" width="18" height="4.5" rx="1.5" opacity=".8" />
          <rect x="7" y="20.5" width="18" height="4.5" rx="1.5" opacity=".6" />
        </g>
      </svg>
      <span className="sign-name">Sanstone</span>
    </span>
  );
}
