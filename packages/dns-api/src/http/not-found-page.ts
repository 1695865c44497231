/** DNS API s7: an unknown URL gets a 404 with an HTML body. It repeats nothing of the request. */
export const NOT_FOUND_PAGE = `<!DOCTYPE html>
<html lang="en">
<head><title>404 Not Found</title></head>
<body>
<h1>404 Not Found</h1>
<p>There is no such resource. The DNS API begins at <a href="/v1">/v1</a>.</p>
</body>
</html>
`;
