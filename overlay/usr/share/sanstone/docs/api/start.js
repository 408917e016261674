// Shows the description that this array derives from its own resources.
window.SwaggerUIBundle({
  dom_id: "#documentation",
  url: "openapi.json",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  validatorUrl: null,
});
