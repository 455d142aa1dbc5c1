# FastMCP's proxy before a command: python fastmcp-proxy.py PORT COMMAND ARG...
import os
import sys

from fastmcp.client.transports import StdioTransport
from fastmcp.server import create_proxy

port, command, *args = sys.argv[1:]
upstream = StdioTransport(command, args, env=dict(os.environ))
create_proxy(upstream, mode=os.environ.get("PROXY_MODE") or None, name="proxy").run(
    transport="http", host="127.0.0.1", port=int(port), show_banner=False
)
